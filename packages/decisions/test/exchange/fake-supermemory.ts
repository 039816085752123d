import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const KEY = 'sm_test_key_0123456789'

interface Document {
  readonly content: string
  readonly containerTag?: string
  readonly customId?: string
  readonly taskType?: string
  readonly metadata?: Readonly<Record<string, unknown>>
}

interface Search {
  readonly q: string
  readonly containerTag?: string
  readonly limit?: number
  readonly searchMode?: string
}

/**
 * A server on this machine that answers as the service does: documents are added or replaced by their custom id, and
 * found by the words of a query within their container. `answer` takes the place of that, for faults.
 */
export async function fakeSupermemory(answer?: (request: IncomingMessage, response: ServerResponse) => void) {
  const documents = new Map<string, Document>()
  const requests: { path: string; body: unknown }[] = []

  const reply = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

  const serve = (path: string, body: unknown, response: ServerResponse) => {
    if (path === 'POST /v3/documents') {
      const document = body as Document
      const id = document.customId ?? `doc${documents.size}`
      documents.set(`${document.containerTag} ${id}`, document)
      return reply(response, 200, { id, status: 'queued' })
    }
    if (path !== 'POST /v4/search') return reply(response, 404, { error: 'not found' })
    const { q, containerTag, limit = 10 } = body as Search
    const words = q.toLowerCase().split(/\W+/)
    const results = [...documents.values()]
      .filter((document) => document.containerTag === containerTag)
      .map(({ content, customId, metadata }) => {
        const hits = words.filter((word) => content.toLowerCase().includes(word)).length
        const updatedAt = '2026-01-01T00:00:00Z'
        return {
          id: `chunk_${customId}`,
          chunk: content,
          metadata,
          similarity: hits / words.length,
          updatedAt,
        }
      })
      .filter(({ similarity }) => similarity > 0)
      .sort((left, right) => right.similarity - left.similarity)
      .slice(0, limit)
    return reply(response, 200, { results, timing: 1, total: results.length })
  }

  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (part) => {
      text += part
    })
    request.on('end', () => {
      const path = `${request.method} ${request.url}`
      requests.push({ path, body: JSON.parse(text) })
      if (answer !== undefined) answer(request, response)
      else if (request.headers.authorization !== `Bearer ${KEY}`)
        reply(response, 401, { error: 'Unauthorized', details: 'Invalid API key' })
      else serve(path, JSON.parse(text), response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    documents,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
