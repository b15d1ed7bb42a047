/** Sets variables of this process until it is disposed of. */
export function withEnvironment(values: Record<string, string>): Disposable {
  const before = Object.keys(values).map(name => [name, process.env[name]] as const)
  Object.assign(process.env, values)
  return {
    [Symbol.dispose]() {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
    },
  }
}
