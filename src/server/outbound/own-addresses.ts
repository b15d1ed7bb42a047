import { networkInterfaces } from 'node:os'

/** The addresses of this machine; none where the system does not tell, as in a sandbox without netlink. */
export function ownAddresses(read: () => ReturnType<typeof networkInterfaces> = networkInterfaces): string[] {
  try {
    return Object.values(read()).flatMap(found => found?.map(({ address }) => address) ?? [])
  } catch {
    return []
  }
}
