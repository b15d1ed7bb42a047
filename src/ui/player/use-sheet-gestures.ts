import { useEffect, type RefObject } from 'react'
import { followFinger, settles } from './follow-finger'
import { drag, isAtTop, pullDown } from './pull-down'

type Needs = { isUp: boolean; setUp: (isUp: boolean) => void; close: () => void }

/** The open player under a finger: down closes it, the panels at its foot are pulled up and pushed down again. */
export function useSheetGestures(dialog: RefObject<HTMLDialogElement | null>, { isUp, setUp, close }: Needs) {
  useEffect(() => {
    const sheet = dialog.current!
    const panels = sheet.querySelector<HTMLElement>('.sheet-panels')!

    const endSheet = pullDown(sheet, close, target => !(isUp && panels.contains(target)))
    const way = () => panels.offsetHeight
    const endPanels = followFinger(panels, {
      mayStart: (direction, target) =>
        isPeek(panels) && (isUp ? direction === 'down' && isAtTop(target, panels) : direction === 'up'),
      onMove: distance => drag(panels, isUp ? Math.max(0, distance) : Math.min(0, distance)),
      onEnd(distance, velocity) {
        drag(panels, 0)
        if (settles(distance, velocity, isUp ? way() : -way())) setUp(!isUp)
      },
    })
    return () => {
      endSheet()
      endPanels()
    }
  }, [dialog, isUp, setUp, close])
}

/** Whether the panels are their own sheet at this size. */
const isPeek = (panels: HTMLElement) => getComputedStyle(panels).position === 'absolute'
