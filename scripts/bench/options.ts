/** Arguments of the form `name=value`, and the others in their order. */
export function readOptions(args: readonly string[]) {
  const named = new Map<string, string>()
  const others: string[] = []
  for (const arg of args) {
    const at = arg.indexOf('=')
    if (at > 0 && !arg.startsWith('/')) named.set(arg.slice(0, at), arg.slice(at + 1))
    else others.push(arg)
  }
  return {
    others,
    named,
    /** A count of at least one; anything else is refused. */
    count(name: string, otherwise: number): number {
      const count = Number(named.get(name) ?? otherwise)
      if (!Number.isSafeInteger(count) || count < 1) throw new Error(`${name} must be a whole number above 0`)
      return count
    },
  }
}
