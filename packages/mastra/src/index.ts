export { contextEngine } from './context-engine.ts'
export type {
  ContextProcessor,
  MastraContext,
  MastraContextOptions,
} from './context-engine-types.ts'
export { MASTRA_DEFAULTS } from './conversations.ts'
