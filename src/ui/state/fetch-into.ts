const REPORT_BYTES = 500_000

/** Puts what lies at an address into a cache, as it comes; answers its bytes. Throws where there is no room. */
export async function fetchInto(cache: Cache, address: string, onProgress: (share: number) => void): Promise<number> {
  // Otherwise the browser may take it away when it wants the room.
  await navigator.storage.persist?.()
  const response = await fetch(address)
  if (!response.ok || !response.body) throw new Error(`${response.status} ${address}`)
  const total = Number(response.headers.get('content-length') ?? 0)
  let bytes = 0
  let reported = 0
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        bytes += chunk.byteLength
        if (total > 0 && bytes - reported > REPORT_BYTES) {
          reported = bytes
          onProgress(bytes / total)
        }
        controller.enqueue(chunk)
      },
    }),
  )
  const type = response.headers.get('content-type') ?? 'audio/mpeg'
  await cache.put(address, new Response(counted, { headers: { 'Content-Type': type } }))
  return bytes
}
