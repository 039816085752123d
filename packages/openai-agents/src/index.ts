export { type AgentsContext, type ContextEngineOptions, contextEngine } from './context-engine.ts'
