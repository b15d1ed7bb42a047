/** Random bytes fit for secrets. */
export const randomBytes = (count: number): Buffer => crypto.getRandomValues(Buffer.alloc(count))

/** A new token of 256 random bits, in 43 characters. */
export const makeToken = () => randomBytes(32).toString('base64url')

/** Node's ciphers, loaded when they are first needed: they bring streams along, which the start can do without. */
export const ciphers = () => process.getBuiltinModule('node:crypto')
