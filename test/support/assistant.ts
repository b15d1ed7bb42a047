import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { TestApp } from './app'

type Answer = { text: string; isError: boolean; data: Record<string, any> }

/** An assistant that speaks the Model Context Protocol by its own library, with this key. */
export async function connectAssistant(app: TestApp, key: string | null) {
  const send = (url: string | URL, init?: RequestInit) => app.app.handle(new Request(url, init))
  const transport = new StreamableHTTPClientTransport(new URL(`http://localhost${app.context.config.prefix}/mcp`), {
    fetch: send as typeof fetch,
    ...(key !== null && { requestInit: { headers: { Authorization: `Bearer ${key}` } } }),
  })
  const client = new Client({ name: 'test', version: '1' })
  // Its types do not know of `exactOptionalPropertyTypes`.
  await client.connect(transport as Parameters<Client['connect']>[0])
  return {
    client,
    transport,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
      const answer = await client.callTool({ name, arguments: args })
      const [first] = answer.content as { text: string }[]
      return {
        text: first!.text,
        isError: answer.isError === true,
        data: (answer.structuredContent ?? {}) as Answer['data'],
      }
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}
