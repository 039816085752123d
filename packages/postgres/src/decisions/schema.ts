/** The tables with a column `principal`. */
export const DECISION_TABLES = [
  'decisions_log',
  'decisions_session',
  'decisions_scope',
  'decisions_event',
  'decisions_source',
  'decisions_job',
] as const

/**
 * The steps from an empty schema to the newest version, see `DatabaseFormat`. Names are packed (`packName`) and found
 * by a digest, because an index holds no name of every length. Other columns with texts are JSON. Events are never
 * deleted. Their numbers are their places in the log of a principal: a writer holds the row of the log, so that no
 * reader sees a later one before an earlier one.
 */
export const DECISION_MIGRATIONS: readonly (() => string)[] = [
  () => `
  CREATE TABLE decisions_log (
    no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    principal text COLLATE "C" NOT NULL,
    digest bytea NOT NULL UNIQUE
  );
  CREATE TABLE decisions_session (
    no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    log bigint NOT NULL REFERENCES decisions_log (no),
    principal text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    digest bytea NOT NULL UNIQUE,
    created_at double precision NOT NULL,
    last_at double precision NOT NULL,
    messages bigint NOT NULL DEFAULT 0,
    events bigint NOT NULL DEFAULT 0,
    receipts uuid[] NOT NULL DEFAULT '{}'
  ) WITH (fillfactor = 50);
  CREATE INDEX decisions_session_log ON decisions_session (log, last_at);

  CREATE TABLE decisions_scope (
    no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    log bigint NOT NULL REFERENCES decisions_log (no),
    principal text COLLATE "C" NOT NULL,
    name text NOT NULL,
    digest bytea NOT NULL,
    UNIQUE (log, digest)
  );
  CREATE TABLE decisions_event (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    log bigint NOT NULL REFERENCES decisions_log (no),
    scope bigint NOT NULL REFERENCES decisions_scope (no),
    principal text COLLATE "C" NOT NULL,
    id text NOT NULL,
    json text NOT NULL,
    UNIQUE (log, id)
  );
  CREATE INDEX decisions_event_scope ON decisions_event (scope, seq);

  CREATE TABLE decisions_source (
    session bigint NOT NULL REFERENCES decisions_session (no),
    message bigint NOT NULL,
    principal text COLLATE "C" NOT NULL,
    json text NOT NULL,
    PRIMARY KEY (session, message)
  );
  CREATE TABLE decisions_job (
    no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session bigint NOT NULL REFERENCES decisions_session (no),
    principal text COLLATE "C" NOT NULL,
    id text NOT NULL,
    digest bytea NOT NULL,
    first bigint NOT NULL,
    behind bigint NOT NULL,
    version bigint NOT NULL,
    attempts bigint NOT NULL,
    finished boolean NOT NULL DEFAULT false,
    holder text,
    until double precision,
    UNIQUE (session, digest)
  );
  CREATE INDEX decisions_job_place ON decisions_job (session, behind);
  CREATE INDEX decisions_job_pending ON decisions_job (session, no) WHERE NOT finished;

  CREATE FUNCTION decisions_clock() RETURNS double precision LANGUAGE sql VOLATILE AS
    'SELECT extract(epoch FROM clock_timestamp())::double precision * 1000';
  COMMENT ON FUNCTION decisions_clock IS 'The time of jobs, in milliseconds since the epoch: one clock for all workers';
  `,
]
