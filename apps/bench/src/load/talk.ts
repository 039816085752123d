import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import type { Message } from '@palimpsest/core'
import { createRandom, createVocabulary } from '../workload/vocabulary.ts'

/** Words of a message: about 200 bytes, so that 100,000 of them fit into the largest body. */
const WORDS = 25

const agent = new Agent({ keepAlive: true })

/** Milliseconds of a request. */
export type Answered = { readonly firstByte: number; readonly whole: number }

/**
 * A conversation that a client holds, with its whole list in each request. The list is kept as bytes: writing it as JSON
 * would hold up the other clients of this process.
 */
export function createTalk(name: string, length: number, seed: number) {
  const vocabulary = createVocabulary(createRandom(seed), 5_000)
  const messages: Message[] = []
  const add = (message: Message) => void messages.push(message)
  const roles = ['user', 'assistant'] as const
  for (let index = 0; index < length; index++)
    add({ role: roles[index % 2] ?? 'user', content: vocabulary.words(WORDS) })
  let list = Buffer.from('{"model":"m","stream":true,"messages":[')
  let written = 0
  const body = () => {
    const news = messages.slice(written).map((message) => JSON.stringify(message))
    list = Buffer.concat([list, Buffer.from(`${written > 0 ? ',' : ''}${news.join(',')}`)])
    written = messages.length
    return Buffer.concat([list, Buffer.from(']}')])
  }
  return {
    get length() {
      return messages.length
    },
    body,
    /** Asks with the list, which ends with the user, and adds the answer. */
    async ask(port: number): Promise<Answered> {
      if (messages.length % 2 === 0) add({ role: 'user', content: vocabulary.words(WORDS) })
      const answered = await post(port, name, body())
      add({ role: 'assistant', content: ANSWER })
      return answered
    },
  }
}

function post(port: number, name: string, body: Buffer): Promise<Answered> {
  const headers = {
    'content-type': 'application/json',
    'content-length': body.length,
    'x-palimpsest-session': name,
  }
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const path = '/v1/chat/completions'
    const sent = request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers }, (response) => {
      let firstByte = 0
      const { statusCode, headers } = response
      const warning = headers['x-palimpsest-warning']
      if (statusCode !== 200 || warning !== undefined) reject(new Error(`${statusCode} ${warning ?? ''}`))
      response.on('data', () => {
        firstByte ||= performance.now() - start
      })
      response.on('end', () => resolve({ firstByte, whole: performance.now() - start }))
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** The answer to every request. */
const ANSWER = 'Done, all is well.'

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

/** A process's own figures: memory in bytes, time of the processor since its start in milliseconds. */
export interface ProcessUse {
  readonly resident: number
  /** Of objects, those that nothing needs any more and that are not collected yet among them. */
  readonly heap: number
  /** Outside of the heap: buffers above all. */
  readonly external: number
  readonly processor: number
}

export type Service = Awaited<ReturnType<typeof startService>>

/**
 * `palimpsest serve` in a process of its own, in front of an upstream.
 *
 * @param command arguments for Node that start `palimpsest`.
 * @param flags of `serve`.
 */
export async function startService(
  command: readonly string[],
  upstreamPort: number,
  folder: string,
  flags: readonly string[],
) {
  const upstream = `http://127.0.0.1:${upstreamPort}/v1`
  const child = spawn(
    process.execPath,
    [...command, 'serve', '--port', '0', '--json', '--upstream', upstream, ...flags],
    {
      cwd: folder,
      env: { PATH: process.env.PATH, PALIMPSEST_HOME: folder },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  const ended = once(child, 'exit')
  const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended])
  if (typeof line !== 'string') throw new Error(`palimpsest serve ended with ${line}`)
  const { url } = JSON.parse(line) as { readonly url: string }
  return {
    port: Number(new URL(url).port),
    async use(): Promise<ProcessUse> {
      const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n')
      const read = (name: string) =>
        Number(lines.find((line) => line.startsWith(`${name} `))?.slice(name.length))
      return {
        resident: read('process_resident_memory_bytes'),
        heap: read('nodejs_heap_size_used_bytes'),
        external: read('nodejs_external_memory_bytes'),
        processor: read('process_cpu_seconds_total') * 1_000,
      }
    },
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}
