declare module '*.webp' {
  /** Address of the picture beside the page. */
  const address: string
  export default address
}
declare module '*.jpg' {
  /** Address of the picture beside the page. */
  const address: string
  export default address
}
