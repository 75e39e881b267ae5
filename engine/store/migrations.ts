/**
 * Numbered migrations of the queue's database. Each runs in one transaction with the change of `user_version`, so a
 * kill leaves the old schema or the new one. Never edit one that was released; add the next.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO meta VALUES ('change', 0);

  CREATE TABLE connection (
    id INTEGER PRIMARY KEY,
    base_url TEXT NOT NULL,
    key_salt TEXT NOT NULL,
    key_hash TEXT NOT NULL,
    -- Newest run the account showed when we first met it; runs created after it that are not ours are strangers.
    first_seen_created INTEGER,
    solitary INTEGER NOT NULL DEFAULT 1,
    resend_allowed INTEGER NOT NULL DEFAULT 1,
    learned TEXT NOT NULL DEFAULT '{}'
  ) STRICT;
  CREATE UNIQUE INDEX connection_identity ON connection (base_url, key_hash);

  CREATE TABLE base_price (
    connection_id INTEGER NOT NULL REFERENCES connection,
    app_id TEXT NOT NULL,
    last INTEGER NOT NULL,
    highest INTEGER NOT NULL,
    PRIMARY KEY (connection_id, app_id)
  ) STRICT, WITHOUT ROWID;

  -- What is sent beside the picture; frozen, shared by all images that were added with it.
  CREATE TABLE recipe (
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,
    app_id TEXT NOT NULL,
    settings TEXT NOT NULL,
    parameters TEXT NOT NULL
  ) STRICT;

  CREATE TABLE batch (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    connection_id INTEGER NOT NULL REFERENCES connection,
    created INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('running', 'paused', 'interrupted', 'stopped', 'finished')),
    stop_reason TEXT,
    out_dir TEXT NOT NULL,
    preset TEXT,
    name_template TEXT NOT NULL,
    on_conflict TEXT NOT NULL CHECK (on_conflict IN ('rename', 'skip', 'overwrite')),
    webhook_url TEXT NOT NULL,
    budget INTEGER,
    in_flight INTEGER,
    charged INTEGER NOT NULL DEFAULT 0,
    changed INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE image (
    id INTEGER PRIMARY KEY,
    batch_seq INTEGER NOT NULL REFERENCES batch,
    position INTEGER NOT NULL,
    source TEXT NOT NULL,
    folder TEXT NOT NULL,
    name TEXT,
    recipe_id INTEGER NOT NULL REFERENCES recipe,
    -- Same source, app, settings and place: delivered once unless asked for again.
    delivery_key TEXT NOT NULL,
    state TEXT NOT NULL,
    run_id TEXT,
    service_status TEXT,
    credits INTEGER,
    error TEXT,
    resends INTEGER NOT NULL DEFAULT 0,
    -- Files of its run, once that has succeeded.
    output_count INTEGER,
    -- Where a skipped image's files come from.
    earlier_image_id INTEGER REFERENCES image,
    changed INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE UNIQUE INDEX image_position ON image (batch_seq, position);
  CREATE INDEX image_by_state ON image (batch_seq, state, position);
  CREATE INDEX image_active ON image (batch_seq) WHERE state IN ('submitting', 'running', 'downloading');
  CREATE INDEX image_changed ON image (changed);
  CREATE INDEX image_delivered ON image (delivery_key) WHERE state = 'delivered';
  CREATE INDEX image_run ON image (run_id) WHERE run_id IS NOT NULL;

  CREATE TABLE tally (
    batch_seq INTEGER NOT NULL,
    state TEXT NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (batch_seq, state)
  ) STRICT, WITHOUT ROWID;
  CREATE TRIGGER image_added AFTER INSERT ON image BEGIN
    INSERT INTO tally VALUES (NEW.batch_seq, NEW.state, 1)
      ON CONFLICT (batch_seq, state) DO UPDATE SET n = n + 1;
  END;
  CREATE TRIGGER image_moved AFTER UPDATE OF state ON image WHEN NEW.state <> OLD.state BEGIN
    UPDATE tally SET n = n - 1 WHERE batch_seq = OLD.batch_seq AND state = OLD.state;
    INSERT INTO tally VALUES (NEW.batch_seq, NEW.state, 1)
      ON CONFLICT (batch_seq, state) DO UPDATE SET n = n + 1;
  END;
  CREATE TRIGGER image_kept BEFORE DELETE ON image BEGIN
    SELECT RAISE(ABORT, 'images are never deleted');
  END;

  -- One row per submission attempt: the charging ledger.
  CREATE TABLE attempt (
    id INTEGER PRIMARY KEY,
    image_id INTEGER NOT NULL REFERENCES image,
    batch_seq INTEGER NOT NULL,
    connection_id INTEGER NOT NULL REFERENCES connection,
    app_id TEXT NOT NULL,
    price_min INTEGER,
    price_max INTEGER,
    state TEXT NOT NULL,
    run_id TEXT UNIQUE,
    run_status TEXT,
    credits INTEGER NOT NULL DEFAULT 0,
    -- Bounds in the service's own time, in ms; null where its clock is not known.
    sent_from INTEGER,
    sent_to INTEGER,
    closed_to INTEGER,
    -- The account's list as it was known before sending.
    total_before INTEGER,
    watermark_created INTEGER,
    http_status INTEGER,
    detail TEXT,
    intent_at INTEGER NOT NULL,
    settled_at INTEGER,
    checksum INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX attempt_one_live ON attempt (image_id)
    WHERE state IN ('intent', 'sending', 'unknown', 'review') OR (state IN ('acked', 'adopted') AND run_status IS NULL);
  CREATE UNIQUE INDEX attempt_one_lane ON attempt (connection_id) WHERE state = 'sending';
  CREATE INDEX attempt_open ON attempt (connection_id) WHERE state IN ('intent', 'sending', 'unknown', 'review');
  CREATE INDEX attempt_image ON attempt (image_id);
  CREATE INDEX attempt_pending ON attempt (batch_seq)
    WHERE state IN ('intent', 'sending', 'unknown', 'review') OR (state IN ('acked', 'adopted') AND run_status IS NULL);
  CREATE TRIGGER attempt_charged AFTER UPDATE OF credits ON attempt WHEN NEW.credits <> OLD.credits BEGIN
    UPDATE batch SET charged = charged + NEW.credits - OLD.credits WHERE seq = NEW.batch_seq;
  END;

  -- Runs that may be the answer to a question, for a person to decide.
  CREATE TABLE candidate (
    attempt_id INTEGER NOT NULL REFERENCES attempt,
    run_id TEXT NOT NULL,
    app_id TEXT NOT NULL,
    status TEXT NOT NULL,
    created TEXT NOT NULL,
    credits INTEGER NOT NULL,
    PRIMARY KEY (attempt_id, run_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE output (
    image_id INTEGER NOT NULL REFERENCES image,
    slug TEXT NOT NULL,
    position INTEGER NOT NULL,
    label TEXT NOT NULL,
    -- Absolute path of the file, and the same folded (case, normal form) to find clashes.
    path TEXT NOT NULL,
    folded TEXT NOT NULL,
    part TEXT,
    bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('named', 'placed')),
    PRIMARY KEY (image_id, slug)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX output_name ON output (folded);
  `,
  `
  -- What a window shows of a batch: its own name, a place in the order other than its age, when its last image was
  -- settled, and whether it was taken out of the list.
  ALTER TABLE batch ADD COLUMN name TEXT;
  ALTER TABLE batch ADD COLUMN place REAL;
  ALTER TABLE batch ADD COLUMN finished INTEGER;
  ALTER TABLE batch ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;
  INSERT INTO meta VALUES ('batch-change', 0);
  INSERT INTO meta VALUES ('paused', 0);
  CREATE INDEX batch_changed_at ON batch (changed);
  CREATE TRIGGER batch_added AFTER INSERT ON batch BEGIN
    UPDATE meta SET value = value + 1 WHERE key = 'batch-change';
    UPDATE batch SET changed = (SELECT value FROM meta WHERE key = 'batch-change') WHERE seq = NEW.seq;
  END;
  CREATE TRIGGER batch_changed AFTER UPDATE OF connection_id, state, stop_reason, out_dir, preset, budget, in_flight,
    charged, name, place, finished, hidden ON batch
  BEGIN
    UPDATE meta SET value = value + 1 WHERE key = 'batch-change';
    UPDATE batch SET changed = (SELECT value FROM meta WHERE key = 'batch-change') WHERE seq = NEW.seq;
  END;

  -- What a person sees of an image and decides about it, and when things happened to it (this computer's clock).
  ALTER TABLE image ADD COLUMN title TEXT NOT NULL DEFAULT '';
  ALTER TABLE image ADD COLUMN preset TEXT;
  ALTER TABLE image ADD COLUMN mark TEXT;
  -- Higher goes first; position decides between equals, and keeps deciding about names.
  ALTER TABLE image ADD COLUMN urgency INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE image ADD COLUMN since INTEGER;
  ALTER TABLE image ADD COLUMN settled INTEGER;
  UPDATE image SET title = title_of(name, source, position);
  CREATE INDEX image_next ON image (batch_seq, urgency DESC, position) WHERE state = 'waiting';
  CREATE INDEX image_settled ON image (batch_seq, settled) WHERE settled IS NOT NULL;
  CREATE INDEX image_marked ON image (batch_seq, mark, position) WHERE mark IS NOT NULL;

  -- How many images of a batch still wait with which settings: what the rest will cost, without looking at each.
  CREATE TABLE pending (
    batch_seq INTEGER NOT NULL,
    recipe_id INTEGER NOT NULL,
    state TEXT NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (batch_seq, recipe_id, state)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO pending SELECT batch_seq, recipe_id, state, count(*) FROM image
    WHERE state IN ('held', 'waiting') GROUP BY batch_seq, recipe_id, state;
  CREATE TRIGGER image_pends AFTER INSERT ON image WHEN NEW.state IN ('held', 'waiting') BEGIN
    INSERT INTO pending VALUES (NEW.batch_seq, NEW.recipe_id, NEW.state, 1)
      ON CONFLICT DO UPDATE SET n = n + 1;
  END;
  CREATE TRIGGER image_pended AFTER UPDATE OF state, recipe_id ON image
    WHEN OLD.state IN ('held', 'waiting') AND (NEW.state <> OLD.state OR NEW.recipe_id <> OLD.recipe_id)
  BEGIN
    UPDATE pending SET n = n - 1
      WHERE batch_seq = OLD.batch_seq AND recipe_id = OLD.recipe_id AND state = OLD.state;
  END;
  CREATE TRIGGER image_pends_again AFTER UPDATE OF state, recipe_id ON image
    WHEN NEW.state IN ('held', 'waiting') AND (NEW.state <> OLD.state OR NEW.recipe_id <> OLD.recipe_id)
  BEGIN
    INSERT INTO pending VALUES (NEW.batch_seq, NEW.recipe_id, NEW.state, 1)
      ON CONFLICT DO UPDATE SET n = n + 1;
  END;

  -- Changes of settings that a person made after images were added.
  CREATE TABLE edit (
    id INTEGER PRIMARY KEY,
    batch_seq INTEGER NOT NULL REFERENCES batch,
    at INTEGER NOT NULL,
    images INTEGER NOT NULL,
    what TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- 1 where a batch once had another output folder: some of its files may be there.
  ALTER TABLE batch ADD COLUMN moved INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX batch_folder ON batch (out_dir);
  `,
  `
  -- Folders that are watched, and what was found in them. A file's row is written in the transaction that adds its batch.
  CREATE TABLE hot_folder (
    id INTEGER PRIMARY KEY,
    connection_id INTEGER NOT NULL REFERENCES connection,
    name TEXT NOT NULL,
    path TEXT NOT NULL UNIQUE,
    preset TEXT NOT NULL,
    out_dir TEXT NOT NULL,
    -- Credits a local calendar day; null without a budget.
    budget INTEGER,
    move_done INTEGER NOT NULL,
    polling INTEGER NOT NULL,
    paused INTEGER NOT NULL DEFAULT 0,
    -- 1 for one that was given up: its batches still count it as theirs.
    removed INTEGER NOT NULL DEFAULT 0,
    created INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE hot_file (
    id INTEGER PRIMARY KEY,
    hot_folder_id INTEGER NOT NULL REFERENCES hot_folder,
    -- Relative, with forward slashes.
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    modified INTEGER NOT NULL,
    -- Hash of the content; of pictures, which are only named, size and time.
    content TEXT NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('before', 'batch', 'nothing', 'problem', 'picture')),
    sentence TEXT,
    batch_seq INTEGER REFERENCES batch,
    images INTEGER NOT NULL DEFAULT 0,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX hot_file_once ON hot_file (hot_folder_id, path, content);
  CREATE INDEX hot_file_batch ON hot_file (batch_seq) WHERE batch_seq IS NOT NULL;
  `,
  `
  -- What is written into a batch's files beside their pixels (shared/metadata.ts).
  ALTER TABLE batch ADD COLUMN metadata TEXT NOT NULL DEFAULT 'none';
  `,
  `
  -- Pictures of this computer, by content, and what of them lies in a storage. Never links or keys.
  CREATE TABLE own_picture (
    content TEXT PRIMARY KEY,
    path TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    modified INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX own_picture_path ON own_picture (path);
  CREATE TABLE own_upload (
    target TEXT NOT NULL,
    key TEXT NOT NULL,
    content TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('sending', 'there')),
    upload_id TEXT,
    part_bytes INTEGER NOT NULL,
    -- What the storage has confirmed, as JSON.
    parts TEXT NOT NULL,
    -- 1 where it stays in the storage when its runs are done.
    kept INTEGER NOT NULL,
    PRIMARY KEY (target, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX image_own ON image (source) WHERE source >= 'local:' AND source < 'local;';
  CREATE INDEX image_own_next ON image (batch_seq, urgency DESC, position)
    WHERE state = 'waiting' AND source >= 'local:' AND source < 'local;';
  `,
  `
  -- Hashes of the secrets in webhook addresses, each of one submission.
  CREATE TABLE notice_secret (
    hash TEXT PRIMARY KEY,
    attempt_id INTEGER NOT NULL REFERENCES attempt
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Where a batch has several presets: which of its pictures an image is made of, from 0; null where it is the only one.
  ALTER TABLE image ADD COLUMN picture INTEGER;
  CREATE INDEX image_variants ON image (batch_seq, picture, position) WHERE picture IS NOT NULL;
  `,
  `
  -- What an image was made of before a person chose another picture in its place, and how often that was.
  ALTER TABLE image ADD COLUMN picked INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE former_source (
    image_id INTEGER NOT NULL REFERENCES image,
    -- From 0, in their order.
    n INTEGER NOT NULL,
    source TEXT NOT NULL,
    -- Its newest submission attempt then, 0 for none: those up to it were of this source.
    last_attempt INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (image_id, n)
  ) STRICT, WITHOUT ROWID;
  `,
]
