import type { ReactNode } from 'react'
import { useTitle } from './page-header'
import { CastleTurret } from './castle-turret'
import './front-door.css'

/** The frame around pages that need no sign-in. */
export function FrontDoor({ title, children }: { title: string; children: ReactNode }) {
  useTitle(title)
  return (
    <main className="front-door">
      <div className="front-door-card">
        <p className="front-door-brand">
          <CastleTurret />
          Castellan
        </p>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}
