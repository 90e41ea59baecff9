// Verifies a log that glasshouse-transparency wrote, with the packages that verify Go's own checksum
// database: golang.org/x/mod/sumdb/tlog and note.
//
// The argument is a folder with the files that a log serves, and with the proofs to compare.
package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8

// folder has the files of the log. It is a tlog.TileReader.
type folder string

// proofs are those that glasshouse-transparency made.
type proofs struct {
	Inclusion   []inclusion
	Consistency []tlog.Hash
}

type inclusion struct {
	Index int64
	Path  []tlog.Hash
}

func main() {
	log.SetFlags(0)
	files := folder(os.Args[1])
	newTree := files.open("checkpoint")
	oldTree := files.open("checkpoint.old")
	hashes := tlog.TileHashReader(newTree, files)
	entries := files.checkEntries(newTree, hashes)
	var made proofs
	check(json.Unmarshal(files.read("proofs.json"), &made))
	for _, proof := range made.Inclusion {
		checkInclusion(newTree, hashes, proof)
	}
	checkConsistency(oldTree, newTree, hashes, made.Consistency)
	fmt.Printf("verified %d entries, %d inclusion proofs and the growth from %d\n",
		entries, len(made.Inclusion), oldTree.N)
}

// open verifies the signature of a checkpoint.
func (f folder) open(name string) tlog.Tree {
	verifier, err := note.NewVerifier(strings.TrimSuffix(string(f.read("key")), "\n"))
	check(err)
	opened, err := note.Open(f.read(name), note.VerifierList(verifier))
	check(err)
	lines := strings.Split(opened.Text, "\n")
	require(len(lines) == 4 && lines[3] == "", "the checkpoint does not have three lines")
	require(lines[0] == verifier.Name(), "the checkpoint has another origin")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	check(err)
	root, err := tlog.ParseHash(lines[2])
	check(err)
	return tlog.Tree{N: size, Hash: root}
}

// checkEntries compares the bundles with the leaf hashes in the tiles, and the hash of all entries with
// the root.
func (f folder) checkEntries(tree tlog.Tree, hashes tlog.HashReader) int64 {
	var stored []tlog.Hash
	memory := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		var found []tlog.Hash
		for _, index := range indexes {
			found = append(found, stored[index])
		}
		return found, nil
	})
	count := int64(0)
	for index := int64(0); count < tree.N; index++ {
		width := tree.N - count
		if width > 1<<height {
			width = 1 << height
		}
		bundle := f.read("tile/entries/" + number(index) + suffix(width))
		var indexes []int64
		for leaf := count; leaf < count+width; leaf++ {
			indexes = append(indexes, tlog.StoredHashIndex(0, leaf))
		}
		leaves, err := hashes.ReadHashes(indexes)
		check(err)
		for _, leaf := range leaves {
			length := binary.BigEndian.Uint16(bundle)
			entry := bundle[2 : 2+length]
			bundle = bundle[2+length:]
			require(leaf == tlog.RecordHash(entry), "an entry has another hash than in its tile")
			added, err := tlog.StoredHashes(count, entry, memory)
			check(err)
			stored = append(stored, added...)
			count++
		}
		require(len(bundle) == 0, "a bundle is too long")
	}
	root, err := tlog.TreeHash(count, memory)
	check(err)
	require(root == tree.Hash, "the entries have another root")
	return count
}

func checkInclusion(tree tlog.Tree, hashes tlog.HashReader, made inclusion) {
	leaf, err := hashes.ReadHashes([]int64{tlog.StoredHashIndex(0, made.Index)})
	check(err)
	check(tlog.CheckRecord(made.Path, tree.N, tree.Hash, made.Index, leaf[0]))
	own, err := tlog.ProveRecord(tree.N, made.Index, hashes)
	check(err)
	require(equal(own, made.Path), "an inclusion proof differs")
	other := tlog.RecordHash([]byte("another entry"))
	err = tlog.CheckRecord(made.Path, tree.N, tree.Hash, made.Index, other)
	require(err != nil, "an inclusion proof fits another entry")
}

func checkConsistency(oldTree, newTree tlog.Tree, hashes tlog.HashReader, made []tlog.Hash) {
	check(tlog.CheckTree(made, newTree.N, newTree.Hash, oldTree.N, oldTree.Hash))
	own, err := tlog.ProveTree(newTree.N, oldTree.N, hashes)
	check(err)
	require(equal(own, made), "the consistency proof differs")
	fork := tlog.RecordHash([]byte("another log"))
	err = tlog.CheckTree(made, newTree.N, newTree.Hash, oldTree.N, fork)
	require(err != nil, "the consistency proof fits another log")
}

func equal(one, other []tlog.Hash) bool {
	if len(one) != len(other) {
		return false
	}
	for i := range one {
		if one[i] != other[i] {
			return false
		}
	}
	return true
}

func (f folder) Height() int { return height }

func (f folder) ReadTiles(tiles []tlog.Tile) ([][]byte, error) {
	var data [][]byte
	for _, tile := range tiles {
		path := fmt.Sprintf("tile/%d/%s%s", tile.L, number(tile.N), suffix(int64(tile.W)))
		bytes, err := os.ReadFile(filepath.Join(string(f), path))
		if err != nil {
			return nil, err
		}
		data = append(data, bytes)
	}
	return data, nil
}

func (f folder) SaveTiles([]tlog.Tile, [][]byte) {}

func (f folder) read(name string) []byte {
	bytes, err := os.ReadFile(filepath.Join(string(f), name))
	check(err)
	return bytes
}

// number writes an index as C2SP tlog-tiles does.
func number(index int64) string {
	text := fmt.Sprintf("%03d", index%1000)
	for index >= 1000 {
		index /= 1000
		text = fmt.Sprintf("x%03d/%s", index%1000, text)
	}
	return text
}

func suffix(width int64) string {
	if width == 1<<height {
		return ""
	}
	return fmt.Sprintf(".p/%d", width)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func require(condition bool, message string) {
	if !condition {
		log.Fatal(message)
	}
}
