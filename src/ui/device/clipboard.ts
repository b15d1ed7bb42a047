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
