import type { ReactNode } from 'react'
import './front-door.css'
import { lazily } from './lazily'
import { useTitle } from './page-header'

const FrontDoorArt = lazily(async () => (await import('./front-door-art')).FrontDoorArt)

/** The frame around pages that need no sign-in. */
export function FrontDoor({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title)
  return (
    <div className="front-door stack">
      <div className="front-door-art sticky clipped" aria-hidden="true">
        <div>
          <FrontDoorArt />
        </div>
      </div>
      <main className="relative stack">
        <div className="front-door-content shrinks breaks wide">
          <p className="front-door-brand text-l strong row gap-10">
            <CastleTurret />
            Castellan
          </p>
          <h1 className="display">{title}</h1>
          {children}
        </div>
      </main>
    </div>
  )
}

/** The logo: a keep whose windows are a sound wave. */
export function CastleTurret() {
  return (
    <svg className="accent" viewBox="0 0 24 24" width="24" height="24" fill="currentColor" aria-hidden="true">
      <path
        fillRule="evenodd"
        d="M3 2h4v2h3V2h4v2h3V2h4v6h-2v14h-4.5v-3.5a2.5 2.5 0 0 0-5 0V22H5V8H3V2Zm8.2 6.5v5h1.6v-5h-1.6Zm-2.6 1.4v2.2h1.4V9.9H8.600Zm5.400 0v2.200h1.400V9.900h-1.400Z"
      />
    </svg>
  )
}
