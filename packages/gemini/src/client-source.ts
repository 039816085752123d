import type { GoogleGenAI, GoogleGenAIOptions } from '@google/genai'
import { ModelError } from '@palimpsest/core'
import { GEMINI_DEFAULTS, type GeminiClient, type GeminiOptions } from './options.ts'

/** The client of one model, and what must never be read in its errors. */
export interface ClientSource {
  /** Loads the SDK on the first call. */
  readonly get: () => Promise<GoogleGenAI>
  readonly secrets: readonly string[]
}

/**
 * The client that was passed in, or one that is built when it is first needed. The SDK takes a tenth of a second
 * and 30 MB to load, and an application that offers several providers may never use this one.
 */
export function clientSource(options: GeminiOptions): ClientSource {
  const { client, apiKey } = options
  if (client !== undefined) return { get: async () => client as GoogleGenAI, secrets: keyOf(client) }
  let loading: Promise<GoogleGenAI> | undefined
  return {
    get: () => {
      loading ??= loadClient(options)
      return loading
    },
    secrets: apiKey === undefined ? [] : [apiKey],
  }
}

async function loadClient(options: GeminiOptions): Promise<GoogleGenAI> {
  const { GoogleGenAI } = await import('@google/genai').catch((cause: unknown) => {
    throw new ModelError('unknown', 'Gemini models need the package @google/genai; install it', { cause })
  })
  // All four are set, because the SDK takes what is missing from the environment.
  const settings: GoogleGenAIOptions = {
    vertexai: false,
    apiVersion: GEMINI_DEFAULTS.apiVersion,
    httpOptions: {
      baseUrl: options.baseUrl ?? GEMINI_DEFAULTS.baseUrl,
      ...(options.fetch === undefined ? {} : { fetch: options.fetch }),
    },
    ...(options.apiKey === undefined ? {} : { apiKey: options.apiKey }),
  }
  return new GoogleGenAI(settings)
}

/** The key of a client that was passed in: not public, but it must not appear in messages either. */
function keyOf(client: GeminiClient): readonly string[] {
  const { apiKey } = client as { readonly apiKey?: unknown }
  return typeof apiKey === 'string' ? [apiKey] : []
}
