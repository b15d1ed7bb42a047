/** Whole seconds as the file itself says; null when it does not. */
export async function measureDuration(path: string, type: string): Promise<number | null> {
  const { parseFile } = await import('music-metadata')
  const found = await parseFile(path, { skipCovers: true, duration: type !== 'audio/mpeg' }).catch(() => null)
  const seconds = Math.floor(found?.format.duration ?? 0)
  return seconds > 0 ? seconds : null
}
