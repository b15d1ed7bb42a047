/** The entry of an assistant's configuration file, as most of them read it. `key`: null if none is needed. */
export const configFor = (address: string, key: string | null): string =>
  JSON.stringify(
    {
      mcpServers: {
        castellan: {
          type: 'http',
          url: `${address}/mcp`,
          ...(key !== null && { headers: { Authorization: `Bearer ${key}` } }),
        },
      },
    },
    null,
    2,
  )
