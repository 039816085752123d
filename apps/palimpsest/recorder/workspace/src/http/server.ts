import { createServer, type IncomingMessage, type Server } from 'node:http'
import { systemClock } from '../clock.ts'
import { type Config, readConfig } from '../config.ts'
import { createLedger, type Ledger } from '../ledger.ts'
import { createLog, type Log } from '../log.ts'
import { createMemoryStore } from '../store/memory-store.ts'
import { apiV1 } from './api-v1.ts'
import { route } from './router.ts'

export function createHttpServer(options: { readonly ledger: Ledger; readonly log: Log }): Server {
  const { ledger, log } = options
  const routes = apiV1({ ledger, clock: systemClock })
  return createServer(async (incoming, outgoing) => {
    const url = new URL(incoming.url ?? '/', 'http://localhost')
    log('debug', 'headers', { authorization: incoming.headers.authorization ?? 'none' })
    const body = await readBody(incoming)
    const response =
      body === INVALID
        ? { status: 400, body: { error: 'bad-request', message: 'the body is not JSON' } }
        : route(routes, { method: incoming.method ?? 'GET', path: url.pathname, query: url.searchParams, body })
    log('info', 'http', { method: incoming.method ?? 'GET', path: url.pathname, status: response.status })
    outgoing.writeHead(response.status, { 'content-type': 'application/json; charset=utf-8' })
    outgoing.end(JSON.stringify(response.body))
  })
}

const INVALID = Symbol('invalid body')

async function readBody(incoming: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const chunk of incoming.setEncoding('utf8')) text += chunk
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return INVALID
  }
}

function start(config: Config): void {
  const log = createLog({ clock: systemClock, level: config.logLevel, write: (line) => console.log(line) })
  const ledger = createLedger({ store: createMemoryStore(), clock: systemClock })
  createHttpServer({ ledger, log }).listen(config.port, '127.0.0.1', () => log('info', 'listening', { port: config.port }))
}

if (import.meta.main) start(readConfig(process.env))
