import ring from './showcase-ring.webp'

/** The drawing of an empty program: a glass case, with a ring in it. Decoration, 380 × 286. */
export function Showcase() {
  return (
    <div className="showcase" aria-hidden="true">
      <svg width="380" height="286" viewBox="0 0 380 286" fill="none">
        <linearGradient id="case-floor" x1="0" y1="0" x2="0" y2="1">
          <stop stopColor="currentColor" stopOpacity=".07" />
          <stop offset="1" stopColor="currentColor" stopOpacity="0" />
        </linearGradient>
        <g stroke="currentColor">
          <path d="M92 34h224v176H92z" strokeOpacity=".13" />
          <path d="M64 62 92 34M288 62l28-28M288 238l28-28M64 238l28-28" strokeOpacity=".16" />
        </g>
        <path d="M64 238 92 210h224l-28 28z" fill="url(#case-floor)" />
        <ellipse cx="190" cy="226" rx="74" ry="9" fill="#000" fillOpacity=".34" />
      </svg>
      <img src={ring} alt="" />
      <svg width="380" height="286" viewBox="0 0 380 286" fill="none">
        <linearGradient id="case-front" x1="0" y1="0" x2="1" y2="1">
          <stop stopColor="#fff" stopOpacity=".10" />
          <stop offset=".55" stopColor="#fff" stopOpacity=".015" />
          <stop offset="1" stopColor="#fff" stopOpacity=".05" />
        </linearGradient>
        <g stroke="currentColor">
          <path d="M64 62h224v176H64z" fill="url(#case-front)" strokeOpacity=".34" />
          <path d="M64 62 92 34h224v176l-28 28" strokeOpacity=".3" />
          <path d="M82 150 146 74M94 164l74-88" strokeOpacity=".16" strokeWidth="1.5" strokeLinecap="round" />
          <path className="case-base" d="M52 238h260v14H52z" strokeOpacity=".14" />
          <path className="case-side" d="M312 238 338 212v13l-26 27z" strokeOpacity=".12" />
        </g>
      </svg>
    </div>
  )
}
