import type { ReactNode } from 'react'
import { CastleTurret } from './castle-turret'
import { lazily } from './lazily'
import { useTitle } from './page-header'
import './front-door.css'

const FrontDoorArt = lazily(async () => (await import('./front-door-art')).FrontDoorArt)

/** The frame around pages that need no sign-in. */
export function FrontDoor({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title)
  return (
    <div className="front-door">
      <div className="front-door-art" aria-hidden="true">
        <div>
          <FrontDoorArt />
        </div>
      </div>
      <main>
        <div className="front-door-content">
          <p className="front-door-brand row gap-10">
            <CastleTurret />
            Castellan
          </p>
          <h1>{title}</h1>
          {children}
        </div>
      </main>
    </div>
  )
}
