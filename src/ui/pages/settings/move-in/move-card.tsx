import type { Move } from '../../../../shared/api/move'
import { MoveAtWork } from './move-at-work'
import { MoveEnded } from './move-ended'
import { MoveSetAside } from './move-set-aside'
import { MoveReady } from './move-ready'
import { MoveUndone } from './move-undone'
import { Reading } from './reading'
import { Receiving } from './receiving'

/** The step at which a move is, with what can be done now. `onAnother`: another file may be brought. */
export function MoveCard({ move, onAnother }: { move: Move; onAnother: (() => void) | null }) {
  if (move.setAside) return <MoveSetAside move={move} />
  switch (move.state) {
    case 'receiving':
      return <Receiving move={move} />
    case 'reading':
      return <Reading move={move} />
    case 'ready':
      return <MoveReady move={move} />
    case 'adding':
    case 'applying':
      return <MoveAtWork move={move} />
    case 'done':
    case 'failed':
      return <MoveEnded move={move} onAnother={onAnother} />
    case 'undoing':
    case 'undone':
      return <MoveUndone move={move} onAnother={onAnother} />
  }
}
