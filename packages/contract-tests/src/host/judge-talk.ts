import { deepEqual } from 'node:assert/strict'
import {
  checkProjection,
  type FunctionToolCall,
  type Message,
  messageText,
  type ToolMessage,
} from '@palimpsest/core'
import type { Talk } from './create-host-harness.ts'
import {
  HOST_TOOL,
  placeOf,
  questionOf,
  questionText,
  type ScriptPlace,
  subjectOf,
  transcriptUpTo,
} from './script.ts'

export function expectValidRequests(talk: Talk, except?: string): void {
  const [system] = talk.requests[0]?.messages ?? []
  const head = system?.role === 'system' || system?.role === 'developer' ? [system] : []
  for (const { messages } of talk.requests) {
    const place = placeIn(messages)
    const history = [...head, ...transcriptUpTo(talk.turns, place)]
    const found = checkProjection(messages.map(asSaid), history).find(({ code }) => code !== except)
    if (found !== undefined)
      throw new Error(`the request after round ${place.round} of question ${place.turn}: ${found.message}`)
  }
}

function placeIn(messages: readonly Message[]): ScriptPlace {
  const place = placeOf(messages)
  if (place === undefined) throw new Error('a request holds no question of the suite')
  return place
}

/** A request's message in the form of the script: a host may add text around it, or send it in parts. */
function asSaid(message: Message): Message {
  const question = questionOf(message)
  if (message.role === 'user') {
    const text = messageText(message)
    const isWhole = question !== undefined && text.includes(questionText(question))
    return { role: 'user', content: isWhole ? questionText(question) : text }
  }
  if (message.role === 'tool')
    return { role: 'tool', tool_call_id: message.tool_call_id, content: messageText(message) }
  if (message.role !== 'assistant') return message
  const text = messageText(message)
  const calls = message.tool_calls?.length ? { tool_calls: message.tool_calls } : {}
  return { role: 'assistant', content: text === '' ? null : text, ...calls }
}

/**
 * Fails if a request is not the whole conversation so far, in order. The engine's tool may have answered with an error.
 */
export function expectWholeRequests(talk: Talk): void {
  for (const { messages } of talk.requests) {
    const place = placeIn(messages)
    const texts = messages.map((message) => JSON.stringify(message))
    let next = 0
    for (const message of transcriptUpTo(talk.turns, place)) {
      const marks = isRecalled(message) ? [message.tool_call_id] : marksOf(message)
      const at = texts.findIndex((text, index) => index >= next && marks.every((mark) => text.includes(mark)))
      if (at === -1)
        throw new Error(
          `the request behind round ${place.round} of question ${place.turn} has no "${shown(marks.join(', '))}"`,
        )
      next = at + 1
    }
  }
}

export function expectWholeHistory(history: string, said: readonly Message[]): void {
  let next = 0
  // Messages follow each other in most histories.
  const isThere = (mark: string): boolean => {
    const at = history.indexOf(mark, next)
    if (at !== -1) next = at
    return at !== -1 || history.includes(mark)
  }
  for (const message of said) {
    const missing = marksOf(message).find((mark) => !isThere(mark))
    if (missing !== undefined) throw new Error(`the host's history has no "${shown(missing)}"`)
  }
  for (const subject of said.flatMap(callsOf).map(subjectOf)) {
    // Once in the call and once in its result.
    if (history.indexOf(subject) === history.lastIndexOf(subject))
      throw new Error(`the host's history has only one of the call with "${subject}" and its result`)
  }
}

export function expectEachCallOnce({ said, lookedUp }: Pick<Talk, 'said' | 'lookedUp'>): void {
  const calls = said.flatMap(callsOf).filter((call) => call.function.name === HOST_TOOL)
  deepEqual(
    lookedUp.toSorted(),
    calls.map(subjectOf).toSorted(),
    "the application's tool must run exactly once for each call",
  )
}

/** Texts that identify a message of the script in any JSON text. */
function marksOf(message: Message): string[] {
  const subjects = callsOf(message).map(subjectOf)
  // The engine's tool answers in JSON, which is escaped inside JSON.
  return subjects.length > 0 ? subjects : [messageText(message).replaceAll('"', '')]
}

function isRecalled(message: Message): message is ToolMessage {
  return message.role === 'tool' && messageText(message).startsWith('"')
}

function callsOf(message: Message): FunctionToolCall[] {
  if (message.role !== 'assistant') return []
  return (message.tool_calls ?? []).filter((call) => call.type === 'function')
}

const SHOWN = 60

function shown(text: string): string {
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}
