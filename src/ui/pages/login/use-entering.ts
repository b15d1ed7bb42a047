import { useLocation } from 'wouter'

const REDIRECT_MS = 100

/** Returns what leads from the sign-in to the page that was wanted. */
export function useEntering() {
  const [, navigate] = useLocation()
  return async (enter: () => void) => {
    await new Promise(resolve => setTimeout(resolve, REDIRECT_MS))
    navigate('/', { replace: true })
    enter()
  }
}
