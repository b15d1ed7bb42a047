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

/** Copies a text; false when the browser forbids it. Also works without https, if there is no clipboard API. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const field = document.createElement('textarea')
    field.value = text
    field.className = 'visually-hidden'
    // An open dialog keeps the focus within itself.
    const home = document.querySelector('dialog[open]') ?? document.body
    home.append(field)
    field.select()
    const isCopied = document.execCommand('copy')
    field.remove()
    return isCopied
  }
}
