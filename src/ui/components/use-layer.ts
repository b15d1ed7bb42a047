import { useEffect, useRef } from 'react'
import { pageLayers } from '../device/layers'

/** Makes the browser's Back call `close` while `isOpen`, instead of leaving the page. */
export function useLayer(isOpen: boolean, close: () => void) {
  const latest = useRef(close)
  latest.current = close
  useEffect(() => (isOpen ? pageLayers().open(() => latest.current()) : undefined), [isOpen])
}
