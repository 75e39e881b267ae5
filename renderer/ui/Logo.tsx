/** The mark: a showcase with a stone in it. Decoration; the name stands beside it or on the control. */
export function Logo({ size = 20 }: { readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.7}
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M4 7.5 8 3.5h12v13l-4 4" />
      <path d="M4 7.5h12v13H4z" />
      <path d="m16 7.5 4-4" />
      <path d="m10 11.2 2.6 2.5L10 16.6l-2.6-2.9z" fill="currentColor" stroke="none" />
    </svg>
  )
}
