import { copyText } from './clipboard'

/** Whether the system has its own sheet for sharing, and a finger to use it. */
export const canShare = 'share' in navigator && matchMedia('(pointer: coarse)').matches

/** Shares a link by the sheet of the system, or else copies it. */
export async function shareLink(title: string, url: string): Promise<'shared' | 'copied' | 'failed'> {
  if (!canShare) return (await copyText(url)) ? 'copied' : 'failed'
  // A person who closes the sheet again has changed their mind.
  await navigator.share({ title, url }).catch(() => undefined)
  return 'shared'
}

/** Whether the system takes a file. */
export const canShareFile = (file: File): boolean => 'canShare' in navigator && navigator.canShare({ files: [file] })

/** Shares a file by the sheet of the system. */
export const shareFile = (file: File): Promise<void> =>
  // A person who closes the sheet again has changed their mind.
  navigator.share({ files: [file], title: file.name }).catch(() => undefined)

/** Offers content to the browser as a download. */
export function saveFile(name: string, content: Blob) {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // By then the browser has read it.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}
