//! A queue of nodes by key: a bucket for each key, the least first.
//!
//! A key packs a cost and a number of steps, and most keys that are in use at a time are few, so a sorted map of small
//! lists beats a heap of entries. Within a bucket, nodes come in the order in which they were put there.

use std::collections::BTreeMap;

use crate::graph::Key;

#[derive(Debug, Default)]
pub(crate) struct Buckets {
    ahead: BTreeMap<Key, Vec<u32>>,
    /// The bucket that is being emptied.
    here: Vec<u32>,
    at: usize,
    key: Option<Key>,
}

impl Buckets {
    pub fn push(&mut self, key: Key, node: u32) {
        if self.key == Some(key) {
            return self.here.push(node);
        }
        // An inconsistent estimate leads back: then the bucket waits for its turn again.
        if self.key.is_some_and(|it| key < it) {
            self.put_back();
        }
        self.ahead.entry(key).or_default().push(node);
    }

    fn put_back(&mut self) {
        if let Some(key) = self.key.take() {
            let rest = self.here.split_off(self.at);
            if !rest.is_empty() {
                self.ahead.insert(key, rest);
            }
            self.here.clear();
            self.at = 0;
        }
    }

    pub fn pop(&mut self) -> Option<(Key, u32)> {
        loop {
            if let (Some(key), Some(&node)) = (self.key, self.here.get(self.at)) {
                self.at += 1;
                return Some((key, node));
            }
            let (key, nodes) = self.ahead.pop_first()?;
            (self.here, self.at, self.key) = (nodes, 0, Some(key));
        }
    }

    /// Everything that is in it.
    pub fn drain(&mut self) -> Vec<u32> {
        self.put_back();
        std::mem::take(&mut self.ahead).into_values().flatten().collect()
    }

    pub fn bytes(&self) -> usize {
        (self.here.capacity() + self.ahead.values().map(Vec::capacity).sum::<usize>()) * 4
    }
}
