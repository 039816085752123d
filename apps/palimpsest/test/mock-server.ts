import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** Lets a server listen on any free port of this machine until the test is over, and returns its address. */
export async function listenForTest(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Listens to requests whose whole body has arrived. */
export function withBody(
  handle: (request: IncomingMessage, response: ServerResponse, text: string) => void,
): RequestListener {
  return (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => handle(request, response, Buffer.concat(parts).toString('utf8')))
  }
}

/** A text in pieces of so many characters, as models stream it. */
export function pieces(text: string, length = 24): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${length}}`, 'g')) ?? []
}
