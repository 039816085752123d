import { createHash } from 'node:crypto'
import { errorText } from '@palimpsest/core'
import { parseOptions, z } from '@palimpsest/core/options'
import type { ExternalMemory } from '@palimpsest/decisions'
import { UsageError } from '../usage-error.ts'
import type { Configuration } from './configuration.ts'

const KEYS = { mem0: 'MEM0_API_KEY', zep: 'ZEP_API_KEY' } as const

/** `memory` in the block `decisions:`. */
export const memorySchema = z.strictObject({
  /** The name of the service; its key is in `MEM0_API_KEY` or `ZEP_API_KEY`. */
  service: z.enum(['mem0', 'zep']),
  /** The namespace of the project's decisions in the service. Default: the project, else `palimpsest`. */
  container: z
    .string()
    .regex(/^[\w.-]{1,80}$/, 'expected 1 to 80 letters, digits, hyphens, underscores and dots')
    .optional(),
  /** The address of the service. Default: its own address. */
  base_url: z
    .url({ protocol: /^https?$/, error: 'expected an address that begins with https://' })
    .optional(),
  /** The time limit of one request, in seconds. Default: 10. */
  timeout: z.number().gt(0).max(600).optional(),
})

interface MemoryOwner {
  readonly project?: unknown
  readonly principal?: string | undefined
}

/** Two principals never share a container. */
export async function memorySource(
  value: unknown,
  { project, principal = 'local' }: MemoryOwner,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<ExternalMemory> {
  const given = parseOptions(memorySchema, value, 'decisions.memory')
  const {
    service,
    base_url,
    timeout,
    container = typeof project === 'string' ? project : 'palimpsest',
  } = given
  const apiKey = environment[KEYS[service]]?.trim()
  if (!apiKey)
    throw new UsageError(`decisions.memory.service is ${service}, which needs its key in ${KEYS[service]}`)
  const owner =
    principal === 'local' ? '' : `-${createHash('sha256').update(principal).digest('hex').slice(0, 12)}`
  const { createMem0Memory, createZepMemory } = await import('@palimpsest/decisions/memories')
  const create = service === 'mem0' ? createMem0Memory : createZepMemory
  try {
    return create({
      apiKey,
      container: `${container}${owner}`,
      ...(base_url !== undefined && { baseUrl: base_url }),
      ...(timeout !== undefined && { timeoutMs: timeout * 1_000 }),
    })
  } catch (cause) {
    // A project's name may contain any characters.
    throw new UsageError(`decisions.memory needs a container of its own: ${errorText(cause)}`, { cause })
  }
}

/** A replay must not send old conversations anywhere. */
export function withoutMemory(configuration: Configuration): Configuration {
  const { config } = configuration
  const { memory: _, ...decisions } = config.engines.decisions ?? {}
  return { ...configuration, config: { ...config, engines: { ...config.engines, decisions } } }
}
