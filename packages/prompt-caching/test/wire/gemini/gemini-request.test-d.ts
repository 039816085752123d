import type {
  Content,
  CreateCachedContentParameters,
  GenerateContentConfig,
  GenerateContentParameters,
  Tool,
} from '@google/genai'
import type { GeminiContent, GeminiRequest } from '../../../src/wire/gemini/gemini-request.ts'
import type { GeminiSplit } from '../../../src/wire/gemini/split-for-cache.ts'

type IsAssignable<From, To> = [From] extends [To] ? true : false

/** The request of a host that keeps its contents as a list and its tools as declarations. */
export interface HostRequest extends GenerateContentParameters {
  contents: Content[]
  config?: GenerateContentConfig & { tools?: Tool[] }
}

/** Checked by `tsc`: a line below that is not `true` does not compile. */
export const assignable: {
  readonly content: IsAssignable<Content, GeminiContent>
  readonly request: IsAssignable<HostRequest, GeminiRequest>
  readonly create: IsAssignable<GeminiSplit<HostRequest>['create'], CreateCachedContentParameters>
  readonly rest: IsAssignable<GeminiSplit<HostRequest>['rest'], GenerateContentParameters>
} = { content: true, request: true, create: true, rest: true }
