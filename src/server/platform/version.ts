import { version } from '../../../package.json'

export { version }
/** User agent for podcast hosts: our own name, never a browser's. */
export const userAgent = `Castellan/${version} (self-hosted podcast manager)`
