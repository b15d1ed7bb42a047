import { copyText } from './clipboard'

/** Whether the system has a share sheet and a touch screen. */
export const canShare = 'share' in navigator && matchMedia('(pointer: coarse)').matches

/** Shares a link with the system's share sheet, or else copies it. */
export async function shareLink(title: string, url: string): Promise<'shared' | 'copied' | 'failed'> {
  if (!canShare) return (await copyText(url)) ? 'copied' : 'failed'
  // Closing the sheet means cancelling.
  await navigator.share({ title, url }).catch(() => undefined)
  return 'shared'
}

/** Whether the system can share a file. */
export const canShareFile = (file: File): boolean => 'canShare' in navigator && navigator.canShare({ files: [file] })

/** Shares a file with the system's share sheet. */
export const shareFile = (file: File): Promise<void> =>
  // Closing the sheet means cancelling.
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
