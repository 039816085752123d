import { type ContextEngine, errorText, type Message } from '@palimpsest/core'
import type { ContractTarget } from '../contract-target.ts'
import { argumentsOf, fittingArguments } from './tool-arguments.ts'

/** Messages that are recalled of a long transcript, and half as many of its end. */
const RECALLED = 40

/**
 * An engine's knowledge, as far as a reader can find out: the answers of tools that are asked for something, and
 * messages as its target recalls them. Tools without required arguments may speak of the moment, so they are not
 * asked.
 */
export async function lookUp(
  engine: ContextEngine,
  { recall }: ContractTarget,
  transcript: readonly Message[],
): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {}
  for (const schema of engine.toolSchemas()) {
    const tool = argumentsOf(schema)
    const { name } = schema.function
    if (tool.required.length === 0) continue
    const ask = () => engine.handleToolCall(name, fittingArguments(tool))
    // A tool that writes says so the first time; from then on it tells what is there.
    await ask()
    found[name] = await ask()
  }
  if (recall === undefined) return found
  const step = Math.ceil(transcript.length / RECALLED)
  for (const [at, message] of transcript.entries()) {
    if (at % step !== 0 && at < transcript.length - RECALLED / 2) continue
    found[`message ${at}`] = await recall(engine, message, at).catch(
      (error: unknown) => `it cannot be recalled: ${errorText(error)}`,
    )
  }
  return found
}

/** The answers of all tools, also of those that need no arguments. */
export async function askEach(engine: ContextEngine): Promise<Readonly<Record<string, string>>> {
  const answers: Record<string, string> = {}
  for (const schema of engine.toolSchemas()) {
    const { name } = schema.function
    answers[name] = await engine.handleToolCall(name, fittingArguments(argumentsOf(schema)))
  }
  return answers
}
