import { signal } from '@preact/signals-core'
import { useSignals } from '@preact/signals-react/runtime'
import { RotateCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApp } from '../app-context'
import { buzz } from '../library/episodes/use-swipe'
import './sheets.css'

/** Refreshes the page when a finger pulls it down from its top; feeds are checked as well, by those who may. */
export function PullToRefresh() {
  useSignals()
  const app = useApp()
  const { t } = useTranslation()
  const [pull, setPull] = useState<Pull | null>(null)
  useEffect(() => {
    const { library, changes, session, failed } = app
    async function refresh() {
      changes.all()
      await library.load()
      if (session.mayUpload.value && !library.isEmpty.value) await library.refreshAll()
    }
    const isCovered = () => document.querySelector('dialog:modal, :popover-open') !== null
    const page = {
      addEventListener: addEventListener.bind(window),
      removeEventListener: removeEventListener.bind(window),
      get scrollY() {
        return scrollY
      },
      isCovered,
    }
    const made = createPull(page, () => refresh().catch(failed))
    setPull(made)
    return made.stop
  }, [app])

  const distance = pull?.distance.value ?? 0
  const isRefreshing = pull?.isRefreshing.value ?? false
  if (distance === 0 && !isRefreshing) return null
  return (
    <div
      className={`pull disc ${distance >= ENOUGH_PX ? 'is-enough' : ''}`}
      role="status"
      aria-label={isRefreshing ? t('refreshing') : undefined}
      style={{ translate: `0 ${isRefreshing ? ENOUGH_PX / 2 : distance}px` }}
    >
      <RotateCw
        size={20}
        aria-hidden="true"
        className={isRefreshing ? 'is-turning' : ''}
        style={{ rotate: `${distance * 4}deg` }}
      />
    </div>
  )
}

/** The distance of the indicator, in pixels, from which releasing it refreshes. */
const ENOUGH_PX = 64
const LIMIT_PX = 96
/** Fingers move further than what they pull. */
const RESISTANCE = 0.5

type Page = Pick<globalThis.Window, 'addEventListener' | 'removeEventListener'> & {
  readonly scrollY: number
  /** Whether something covers the page. */
  isCovered: () => boolean
}

type Pull = ReturnType<typeof createPull>

/** Follows a finger that pulls the page down from its top, and refreshes if it is released far enough. */
export function createPull(page: Page, refresh: () => Promise<void>) {
  /** Distance of the indicator in pixels; 0 at rest. */
  const distance = signal(0)
  const isRefreshing = signal(false)
  let start: { x: number; y: number } | null = null

  function onStart(event: TouchEvent) {
    const [touch] = event.touches
    const isPossible = event.touches.length === 1 && page.scrollY <= 0 && !isRefreshing.value && !page.isCovered()
    start = isPossible && touch ? { x: touch.clientX, y: touch.clientY } : null
  }
  function onMove(event: TouchEvent) {
    const [touch] = event.touches
    if (!start || !touch) return
    const [across, down] = [touch.clientX - start.x, touch.clientY - start.y]
    // A row that is swiped, or a page that is scrolled.
    if (distance.value === 0 && (down < 8 || Math.abs(across) > down)) {
      if (down < 0 || Math.abs(across) > 8) start = null
      return
    }
    const wasEnough = distance.value >= ENOUGH_PX
    distance.value = Math.max(0, Math.min(LIMIT_PX, down * RESISTANCE))
    if (!wasEnough && distance.value >= ENOUGH_PX) buzz()
  }
  async function onEnd() {
    start = null
    const isEnough = distance.value >= ENOUGH_PX
    distance.value = 0
    if (!isEnough) return
    isRefreshing.value = true
    try {
      await refresh()
    } finally {
      isRefreshing.value = false
    }
  }
  const end = () => void onEnd()
  const listeners = { touchstart: onStart, touchmove: onMove, touchend: end, touchcancel: end } as const
  for (const [type, listener] of Object.entries(listeners))
    page.addEventListener(type, listener as (event: Event) => void, { passive: true })
  return {
    distance,
    isRefreshing,
    stop() {
      for (const [type, listener] of Object.entries(listeners))
        page.removeEventListener(type, listener as (event: Event) => void)
    },
  }
}
