export type * from './cache-planner.ts'
export type * from './context-engine.ts'
export type * from './message.ts'
export type * from './model.ts'
