import type { SlotNames } from './slot-names.ts'

/** Where data is kept and how it is reached. */
export const STORAGE_NAMES: SlotNames = {
  cache: `Redis = редис; Valkey; Memcached = memcache; KeyDB; Dragonfly = dragonflydb; Hazelcast; Varnish; Ehcache; Caffeine;
    Apache Ignite = ignite; in-memory cache = in-process cache, in-memory caching; LRU cache = lru; node-cache; Upstash`,
  datastore: `PostgreSQL = postgres, postgress, postgre, postgre sql, postgres sql, pg, psql, постгрес, постгре; MySQL = мускул; MariaDB; SQLite = sqlite3; MongoDB = mongo, mongo db,
    монго; DynamoDB = dynamo, amazon dynamodb; Cassandra = apache cassandra; ScyllaDB = scylla; CockroachDB = cockroach; CouchDB;
    Couchbase; Firestore = cloud firestore; Firebase Realtime Database; Supabase; PlanetScale; Neon = neondb; Turso; libSQL;
    Oracle = oracle db, oracle database; SQL Server = mssql, ms sql, microsoft sql server; DB2 = ibm db2; InfluxDB = influx;
    TimescaleDB = timescale; QuestDB; ClickHouse = кликхаус; DuckDB; Snowflake; BigQuery = big query; Redshift = amazon redshift;
    Databricks; Druid; Neo4j; ArangoDB; Dgraph; JanusGraph; RethinkDB; FaunaDB = fauna; SurrealDB; TiDB; YugabyteDB = yugabyte;
    Vitess; Aurora = amazon aurora; RDS = amazon rds; Spanner = cloud spanner; Cosmos DB = cosmosdb; LevelDB; RocksDB; LMDB;
    Realm; PouchDB; IndexedDB; NeDB; LowDB; TinyDB; Core Data; H2; HSQLDB; Derby; Firebird; EdgeDB = gel; Prestodb = presto;
    Trino; D1 = cloudflare d1; FoundationDB; etcd; Redis; Valkey; Firebase; localStorage = local storage; Access = ms access; Isar; Hive DB; MMKV; AsyncStorage; SharedPreferences; DataStore Preferences; SwiftData; WatermelonDB; ObjectBox; GreenDAO; SQLDelight; NetCDF; Zarr; HDF5 store; TileDB; littlefs; NVS; SPIFFS; EEPROM; FRAM; SD card; PowerSync; ElectricSQL; Convex; Appwrite; PocketBase; Xata; KurrentDB; MonetDB; Greenplum; Vertica; StarRocks; Doris; Pinot;
    flat files = flat file, json files; EventStoreDB = eventstore`,
  search: `Elasticsearch = elastic search, elastic, эластик; OpenSearch; Meilisearch = meili; Typesense; Algolia; Solr = apache solr;
    Lucene; Sonic; Tantivy; Sphinx Search; Manticore; Zinc; Whoosh; FTS5 = sqlite fts; pg_trgm; Vespa`,
  'vector-store': `pgvector; Pinecone; Weaviate; Qdrant; Milvus; Chroma = chromadb; FAISS; LanceDB; sqlite-vec; Annoy; hnswlib`,
  queue: `RabbitMQ = rabbit; Kafka = apache kafka, кафка; SQS = amazon sqs, aws sqs; SNS; NATS = nats.io, jetstream;
    Pulsar = apache pulsar; ActiveMQ; ZeroMQ = zmq; Celery; Sidekiq; Resque; BullMQ = bull; Bee-Queue; Agenda.js; RQ; Dramatiq; Huey;
    Kinesis; Pub/Sub = pubsub, google pub/sub; Event Hubs; Service Bus = azure service bus; EventBridge; Temporal = temporal.io;
    Airflow = apache airflow; Dagster; Prefect; Oban; Hangfire; Redpanda; MQTT; Mosquitto; Inngest; Graphile Worker; pg-boss;
    Quartz; Redis; Redis Streams; Faktory; Gearman; Beanstalkd`,
  orm: `Prisma; TypeORM; Sequelize; Drizzle = drizzle orm; MikroORM; Knex = knex.js; Kysely; Objection.js = objection; Mongoose;
    SQLAlchemy; SQLModel; Peewee; Tortoise ORM; Django ORM; Pony ORM; Hibernate; JPA = spring data jpa; jOOQ; MyBatis; Exposed;
    Entity Framework = ef core, entity framework core; Dapper; NHibernate; GORM; sqlc; sqlx; Ent; Diesel; SeaORM; Ecto;
    ActiveRecord = active record; Sequel; Doctrine; Eloquent; Slonik; postgres.js; node-postgres; psycopg = psycopg2, psycopg3;
    asyncpg; better-sqlite3; node:sqlite; mysql2; pgx; raw SQL = plain sql, handwritten sql; Bookshelf; Room; GRDB; Realm`,
  migrations: `Flyway; Liquibase; Alembic; golang-migrate; dbmate; node-pg-migrate; Prisma Migrate; goose; Umzug; Sqitch; Atlas;
    db-migrate; Drizzle Kit`,
  'file-storage': `S3 = amazon s3, aws s3; MinIO; R2 = cloudflare r2; GCS = google cloud storage, cloud storage; Azure Blob Storage =
    azure blob, blob storage; Backblaze B2 = backblaze; Ceph; local disk = local filesystem, the filesystem; EFS; Cloudinary;
    UploadThing; HDFS; Wasabi`,
}
