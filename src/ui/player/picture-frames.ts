import { signal } from '@preact/signals-core'

const known = new WeakMap<HTMLVideoElement, ReturnType<typeof createFrames>>()

/** The frames of a page in which its video can be shown. */
export function framesOf(video: HTMLVideoElement) {
  const frames = known.get(video) ?? createFrames(video)
  known.set(video, frames)
  return frames
}

function createFrames(video: HTMLVideoElement) {
  const stack: HTMLElement[] = []
  const hasPicture = signal(false)
  const isFloating = signal(false)
  const isInPage = signal(false)
  const hidden = signal<string | null>(null)
  const look = () => (hasPicture.value = video.hasAttribute('src'))
  look()
  // An iPhone would fill the screen at once.
  video.playsInline = true
  for (const name of ['loadstart', 'emptied']) video.addEventListener(name, look)
  video.addEventListener('enterpictureinpicture', () => (isFloating.value = true))
  video.addEventListener('leavepictureinpicture', () => (isFloating.value = false))
  document.addEventListener('fullscreenchange', () => (video.controls = document.fullscreenElement === video))

  /** Moves the video to the last frame; hidden in the page without one, since it would pause outside of it. */
  function place() {
    const parent: HTMLElement = stack.at(-1) ?? document.body
    if (video.parentElement === parent) return
    // In the floating window it survives only this move.
    if (video.isConnected && 'moveBefore' in parent) (parent.moveBefore as Node['insertBefore'])(video, null)
    else parent.append(video)
  }
  return {
    /** Whether something was pressed that has a picture. */
    hasPicture,
    /** Whether the browser shows the picture in a window over everything. */
    isFloating,
    /** Whether the page that is open shows the picture. */
    isInPage,
    /** The `id` of the episode whose picture is not wanted in the corner. */
    hidden,
    /** Shows the video in a frame, until the returned function is called. */
    show(frame: HTMLElement) {
      stack.push(frame)
      place()
      return () => {
        stack.splice(stack.indexOf(frame), 1)
        place()
      }
    },
  }
}
