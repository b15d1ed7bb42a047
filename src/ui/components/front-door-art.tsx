import type { CSSProperties, ReactNode } from 'react'

const motifs: readonly ReactNode[] = [
  <circle key="ring" cx="50" cy="50" r="29" fill="none" stroke="var(--bright)" strokeWidth="22" />,
  <g key="diamonds" transform="rotate(38 50 50)">
    <rect x="22" y="22" width="56" height="56" fill="var(--bright)" />
    <rect x="36" y="36" width="28" height="28" fill="var(--light)" />
  </g>,
  <g key="waves">
    <path d="M0 62c22-32 44 12 66-4 14-10 22-22 34-20v62H0Z" fill="var(--bright)" />
    <path d="M0 82c22-28 42 8 62 0 16-6 26-12 38-10v28H0Z" fill="var(--light)" />
  </g>,
  <g key="arcs" fill="none" stroke="var(--bright)" strokeWidth="16">
    <circle cx="30" cy="104" r="28" />
    <circle cx="30" cy="104" r="62" />
  </g>,
  <g key="hill">
    <circle cx="68" cy="28" r="12" fill="var(--light)" />
    <circle cx="46" cy="106" r="48" fill="var(--bright)" />
  </g>,
  <path
    key="bars"
    d="M20 42v16m15-24v32m15-42v52m15-42v32m15-24v16"
    fill="none"
    stroke="var(--bright)"
    strokeLinecap="round"
    strokeWidth="7"
  />,
]

const TILES = 24

/** Shapes that resemble covers. Never real ones: a stranger must not learn what is played here. */
export function FrontDoorArt() {
  return (
    <>
      {Array.from({ length: TILES }, (_, index) => (
        <svg key={index} viewBox="0 0 100 100" style={{ '--hue': (index * 83 + 200) % 360 } as CSSProperties}>
          <rect width="100" height="100" fill="var(--deep)" />
          {motifs[(index * 5 + Math.floor(index / 4)) % motifs.length]}
        </svg>
      ))}
    </>
  )
}
