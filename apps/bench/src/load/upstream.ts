import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The answer to every request. */
export const ANSWER = 'Done, all is well.'

/** A model that answers at once, in two pieces. */
export async function startUpstream() {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.method !== 'POST') {
        response.setHeader('content-type', 'application/json').end('{"data":[]}')
        return
      }
      response.setHeader('content-type', 'text/event-stream')
      response.write(
        event({ delta: { role: 'assistant', content: ANSWER.slice(0, 5) }, finish_reason: null }),
      )
      response.write(event({ delta: { content: ANSWER.slice(5) }, finish_reason: null }))
      response.end(`${event({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

function event(choice: object): string {
  const chunk = { id: 'c', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, ...choice }] }
  return `data: ${JSON.stringify(chunk)}\n\n`
}
