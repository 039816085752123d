import { contextEngine } from './context-engine.ts'

/** The extension that pi loads: the engine `lcm`, with summaries by the conversation's model. */
export default contextEngine()
export { type ContextEngineOptions, contextEngine } from './context-engine.ts'
