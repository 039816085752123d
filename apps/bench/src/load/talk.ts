import { Agent, request } from 'node:http'
import type { Message } from '@palimpsest/core'
import { createRandom, createVocabulary } from '../workload/vocabulary.ts'
import { ANSWER } from './upstream.ts'

/** Words of a message: about 200 bytes, so that 100,000 of them fit into the largest body. */
const WORDS = 25

const agent = new Agent({ keepAlive: true })

/** Milliseconds of a request. */
export interface Answered {
  readonly firstByte: number
  readonly whole: number
}

/**
 * A conversation that a client holds, with its whole list in each request. What it begins with is kept as bytes: writing it
 * as JSON would hold up the other clients of this process.
 */
export function createTalk(name: string, length: number, seed: number) {
  const vocabulary = createVocabulary(createRandom(seed), 5_000)
  const messages: Message[] = []
  const add = (message: Message) => void messages.push(message)
  const roles = ['user', 'assistant'] as const
  for (let index = 0; index < length; index++)
    add({ role: roles[index % 2] ?? 'user', content: vocabulary.words(WORDS) })
  const jsonFrom = (index: number) =>
    messages
      .slice(index)
      .map((message) => JSON.stringify(message))
      .join(',')
  const history = Buffer.from(`{"model":"m","stream":true,"messages":[${jsonFrom(0)}`)
  /** The body in two pieces: copying a large one would hold up the other clients of this process, too. */
  const body = () => {
    const news = jsonFrom(length)
    return [history, Buffer.from(`${length > 0 && news !== '' ? ',' : ''}${news}]}`)]
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

function post(port: number, name: string, body: readonly Buffer[]): Promise<Answered> {
  const headers = {
    'content-type': 'application/json',
    'content-length': body.reduce((sum, { length }) => sum + length, 0),
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
    sent.cork()
    for (const piece of body) sent.write(piece)
    sent.end()
  })
}
