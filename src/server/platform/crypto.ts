/** Random bytes fit for secrets. */
export const randomBytes = (count: number): Buffer => crypto.getRandomValues(Buffer.alloc(count))

/** Node's ciphers, loaded when they are first needed: they bring streams along, which the start can do without. */
export const ciphers = () => process.getBuiltinModule('node:crypto')
