import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const KEY = 'mem_test_key_0123456789'

/** What a service keeps. */
export interface Kept {
  readonly id: string
  readonly container: string
  readonly text: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly at: string
}

export type Body = Readonly<Record<string, unknown>>

/** How one service speaks: the answer to a request, from what is kept. */
export interface Protocol {
  readonly authorization: string
  answer(
    request: { readonly route: string; readonly body: Body },
    kept: Kept[],
  ): readonly [status: number, body: unknown]
}

/**
 * A server on this machine that answers as a service does. `answer` takes the place of that, for faults.
 */
export async function fakeService(
  protocol: Protocol,
  answer?: (request: IncomingMessage, response: ServerResponse) => void,
) {
  const kept: Kept[] = []
  const requests: { readonly route: string; readonly body: Body }[] = []
  const reply = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part) => {
      text += part
    })
    request.on('end', () => {
      const asked = { route: `${request.method} ${request.url}`, body: JSON.parse(text) as Body }
      requests.push(asked)
      if (answer !== undefined) answer(request, response)
      else if (request.headers.authorization !== `${protocol.authorization} ${KEY}`)
        reply(response, 401, { detail: `Invalid API key ${request.headers.authorization?.split(' ')[1]}` })
      else if (request.headers['content-type'] !== 'application/json')
        reply(response, 415, { detail: 'send JSON' })
      else reply(response, ...protocol.answer(asked, kept))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    kept,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** What has words of a query, the best first. */
export function matching(kept: readonly Kept[], query: unknown, container: unknown, limit: unknown): Kept[] {
  const words = String(query).toLowerCase().split(/\W+/).filter(Boolean)
  const score = ({ text }: Kept) => words.filter((word) => text.toLowerCase().includes(word)).length
  return kept
    .filter((each) => each.container === container && score(each) > 0)
    .sort((a, b) => score(b) - score(a))
    .slice(0, Number(limit))
}

let last = 0
/** A later date with each call. */
export function nextDate(): string {
  return new Date(1_800_000_000_000 + 1_000 * last++).toISOString()
}
