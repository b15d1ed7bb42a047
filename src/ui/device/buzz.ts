/** Answers a finger with a short vibration, on devices that have one. */
export const buzz = () => void navigator.vibrate?.(10)
