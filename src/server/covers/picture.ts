const types: Record<string, string> = { jpeg: 'image/jpeg', png: 'image/png', webp: 'image/webp' }

/** The largest picture that is decoded; its pixels take 80 MB of memory. */
export const MAX_PIXELS = 20_000_000

/**
 * Recognises a picture by its bytes. JPEG, PNG and WebP stay as they are; other formats that can be decoded (GIF, BMP)
 * become WebP, at most 1024 pixels wide and high. Throws for anything else (SVG and HTML included) and for more than 20
 * million pixels.
 */
export async function asPicture(body: Uint8Array): Promise<{ bytes: Uint8Array; type: string }> {
  const picture = new Bun.Image(body, { maxPixels: MAX_PIXELS })
  const { format, width, height } = await picture.metadata()
  if (width * height > MAX_PIXELS) throw new Error(`the picture has ${width * height} pixels`)
  const type = types[format]
  if (type) return { bytes: body, type }
  const scaled = picture.resize(1024, 1024, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 85 })
  return { bytes: await scaled.bytes(), type: 'image/webp' }
}
