import { Agent, request } from 'node:http'
import type { Message } from '@palimpsest/core'
import { createRandom } from '../workload/random.ts'
import { createVocabulary } from '../workload/vocabulary.ts'
import { ANSWER } from './upstream.ts'

/** Words of a message: about 200 bytes, so that 100,000 of them fit into the largest body. */
const WORDS = 25

const agent = new Agent({ keepAlive: true })

/** Milliseconds of a request. */
export interface Answered {
  readonly firstByte: number
  readonly whole: number
}

/** A conversation that a client holds, with its whole list in each request. */
export function createTalk(name: string, length: number, seed: number) {
  const vocabulary = createVocabulary(createRandom(seed), 5_000)
  const say = (role: 'user' | 'assistant'): Message => ({ role, content: vocabulary.words(WORDS) })
  const messages: Message[] = Array.from({ length }, (_, index) =>
    say(index % 2 === 0 ? 'user' : 'assistant'),
  )
  return {
    messages,
    /** Asks with the list, which ends with the user, and adds the answer and the next question. */
    async ask(port: number): Promise<Answered> {
      if (messages.at(-1)?.role !== 'user') messages.push(say('user'))
      const answered = await post(port, name, JSON.stringify({ model: 'm', stream: true, messages }))
      messages.push({ role: 'assistant', content: ANSWER })
      return answered
    },
  }
}

function post(port: number, name: string, body: string): Promise<Answered> {
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
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
