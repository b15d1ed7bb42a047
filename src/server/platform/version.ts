import { version } from '../../../package.json'

export { version }
/** How we present ourselves to podcast hosts: who we are, honestly, and never a browser. */
export const userAgent = `Castellan/${version} (self-hosted podcast manager)`
