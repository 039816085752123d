export {
  type ContextEnginePluginOptions,
  contextEnginePlugin,
  type OpenClawPlugin,
} from './context-engine-plugin.ts'
export { type ImportResult, importLosslessClaw } from './import-lossless-claw.ts'
export { plugin as default } from './plugin.ts'
