package main

import (
	"errors"
	"flag"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestOptions(t *testing.T) {
	bad := map[string]string{
		"-games 0":                            "-games 0: want 1 to 20000",
		"-games x":                            "invalid value",
		"-duration 1s":                        "-duration 1s: want 5s to 1h",
		"-think 1ms":                          "-think 1ms: want 20ms to 10s",
		"-illegal 1.5":                        "-illegal 1.5: want a share from 0 to 1",
		"-cuts NaN":                           "-cuts NaN: want a share from 0 to 1",
		"-spectators -1":                      "-spectators -1: want 0 to 5",
		"-pid 1":                              "give its -addr too",
		"-outage":                             "give its -addr too",
		"-addr localhost:80":                  "want http://host:port",
		"-addr http://h/x":                    "want http://host:port",
		"-addr http://h -pid 99999999":        "no such process",
		"-addr http://h -pid 0":               `"0": want a process id`,
		"-addr http://h -pid 1,1":             "1 is there twice",
		"-addr http://h,http://h/":            "http://h is there twice",
		"-addr http://h,":                     "want http://host:port",
		"-metrics http://h/metrics":           "-metrics is for a running server",
		"-addr http://h -metrics h":           `"h": want a URL`,
		"-rate 1 -think 1s":                   "give one of them",
		"-rate 1 -think-as fixed":             "give one of them",
		"-rate 0.1":                           "-rate 0.1: want 0.2 to 100",
		"-rate NaN":                           "-rate NaN: want",
		"-rounds 2":                           "-rounds is for -baseline",
		"-moves 0":                            "-moves 0: want a number from 1",
		"-moves -3":                           "-moves -3: want a number from 1",
		"-drain -1s":                          "-drain -1s: want 0 to 10m",
		"-pairing arena":                      `-pairing "arena": want direct or lobby`,
		"-premoves 2":                         "-premoves 2: want a share from 0 to 1",
		"-slow NaN":                           "-slow NaN: want a share from 0 to 1",
		"-baseline -moves 3":                  "-moves does not go with -baseline",
		"-baseline -rounds 0":                 "-rounds 0: want 1 to 100",
		"-baseline -rate 0.01":                "-rate 0.01: want 0.1 to 100",
		"-baseline -rate NaN":                 "-rate NaN: want",
		"-baseline -duration 10ms":            "want 1s to 1h",
		"-baseline -cuts 0":                   "-cuts does not go with -baseline",
		"-baseline -addr http://h":            "-addr does not go with -baseline",
		"-fail p99":                           "want a figure",
		"-fail ratio.p99<2":                   `there is no figure "ratio.p99"`,
		"-baseline -fail pairing.p99<1s":      `there is no figure "pairing.p99"`,
		"-compare /nonexistent":               "no such file",
		"-nonsense":                           "not defined",
		"extra":                               `unexpected argument "extra"`,
		"-crowd -5":                           "-crowd -5: want 1 to 20000",
		"-crowd 5 -storm 20":                  "give one of them",
		"-crowd 5 -crowd-slow 6":              "-crowd-slow 6: want 0 to 5",
		"-crowd-slow 6":                       "-crowd-slow is for -crowd",
		"-crowd 5 -duration 5s -crowd-slow 1": "wants a -duration of 15s",
		"-crowd 5 -cuts 0.1":                  "-cuts does not go with -crowd",
		"-crowd 5 -rate 0":                    "-rate 0: want 0.1 to 100",
		"-crowd 5 -baseline":                  "-baseline does not go with -crowd",
		"-storm 3":                            "-storm 3: want 20 to 20000",
		"-storm 100 -games 3":                 "-games does not go with -storm",
		"-hop -storm 20":                      "give one of them",
		"-hop -crowd 20":                      "give one of them",
		"-hop -baseline":                      "-baseline does not go with -hop",
		"-hop -addr http://h":                 "-addr does not go with -hop",
		"-hop -crowd-slow 3":                  "-crowd-slow does not go with -hop",
		"-hop -rate 0":                        "-rate 0: want 0.1 to 100",
		"-hop -rounds 0":                      "-rounds 0: want 1 to 100",
		"-hop -saw x":                         "-saw is for an ordinary run",
		"-hop -fail relay.p99<2ms":            `there is no figure "relay.p99"`,
		"-storm 100 -fail ratio.p99<2":        `there is no figure "ratio.p99"`,
	}
	for args, want := range bad {
		if _, err := parse(strings.Fields(args), io.Discard); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", args, err, want)
		}
	}
	o, err := parse([]string{"-games", "3", "-duration", "10s", "-addr", "http://127.0.0.1:8080/"}, io.Discard)
	if err != nil || o.games != 3 || o.duration != 10*time.Second || !slices.Equal(o.addrs, []string{"http://127.0.0.1:8080"}) {
		t.Errorf("got %+v, %v", o, err)
	}
	o, err = parse(strings.Fields("-addr http://a:1,https://b -addr http://c/ -metrics http://a:2/metrics,http://b:2/metrics"), io.Discard)
	if err != nil || !slices.Equal(o.addrs, []string{"http://a:1", "https://b", "http://c"}) || len(o.metrics) != 2 {
		t.Errorf("got %+v, %v", o, err)
	}
	if o, err = parse(strings.Fields("-baseline -fail ratio.p99<=2.5 -fail valid>=1"), io.Discard); err != nil || len(o.fail) != 2 {
		t.Errorf("got %+v, %v", o, err)
	}
	if o, err = parse(strings.Fields("-crowd 5000 -fail ratio.p99_watched<=1.5"), io.Discard); err != nil || o.games != 20 || o.rate != 2 || o.duration != 20*time.Second {
		t.Errorf("got %+v, %v", o, err)
	}
	if o, err = parse(strings.Fields("-storm 5000 -fail refused_for_good<=0 -fail games_lost<=0"), io.Discard); err != nil || o.games != 2450 || o.rate != 0.5 {
		t.Errorf("got %+v, %v", o, err)
	}
	if o, err = parse(strings.Fields("-hop -board -fail hop.p50<=1ms -fail redis.commands_per_move<=9 -fail one.ack.p99<9ms"), io.Discard); err != nil || o.games != 200 || o.rate != 1 || o.duration != 20*time.Second {
		t.Errorf("got %+v, %v", o, err)
	}
	if _, err := parse([]string{"-h"}, io.Discard); !errors.Is(err, flag.ErrHelp) {
		t.Errorf("-h: %v", err)
	}
}
