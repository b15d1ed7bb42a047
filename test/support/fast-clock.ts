// Loaded before the server: its clock runs ten thousand times as fast as that of the machine.

const FACTOR = 10_000
const now = Date.now
const startedAt = now()

Date.now = () => Math.floor(startedAt + (now() - startedAt) * FACTOR)
