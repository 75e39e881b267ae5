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
]
