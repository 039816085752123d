export {
  createRecallServer,
  type OnRecallProgress,
  RECALL_DEFAULTS,
  type RecallServerOptions,
  type RecallTools,
} from './create-recall-server.ts'
